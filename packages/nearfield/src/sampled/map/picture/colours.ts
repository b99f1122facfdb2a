// The colours of a distance map (as in Myszkowski et al., Figure 6): overlaps from red, deepest, to yellow; gaps from
// green to blue. The step from yellow to green is where the bodies begin to touch.

export type Colour = readonly [number, number, number];

export const onlyA: Colour = [150, 150, 150];
export const onlyB: Colour = [240, 170, 190];
/** Both bodies are met, but the distance is beyond what the map shows. */
export const beyond: Colour = [225, 230, 240];

const overlap: readonly Colour[] = [
  [140, 0, 20],
  [225, 30, 20],
  [250, 130, 20],
  [255, 225, 60],
];
const gap: readonly Colour[] = [
  [70, 190, 60],
  [30, 170, 160],
  [40, 110, 220],
  [30, 30, 140],
];

/** The colour of a distance within a range from least to greatest. Distances beyond its ends have the ends' colours. */
export function colourOf(distance: number, [least, greatest]: readonly [number, number]): Colour {
  if (distance < 0) return between(overlap, least < 0 ? 1 - distance / least : 1);
  return between(gap, greatest > 0 ? distance / greatest : 0);
}

/** A colour along a list, at a share from 0 to 1. */
function between(colours: readonly Colour[], share: number): Colour {
  const at = Math.min(1, Math.max(0, share)) * (colours.length - 1);
  const first = Math.min(colours.length - 2, Math.floor(at));
  const mix = (channel: number) =>
    Math.round(
      colours[first][channel] + (at - first) * (colours[first + 1][channel] - colours[first][channel]),
    );
  return [mix(0), mix(1), mix(2)];
}
