// A 3MF package with the tetrahedron, and the parts to build others.

import { strToU8, zipSync } from 'fflate';
import { tetrahedronIndices, tetrahedronPositions } from './samples.ts';

export const core = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
export const production = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';

export const relationships = (target = '/3D/3dmodel.model'): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="${target}" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`;

/** A mesh element of positions and indices. */
export function meshXml(
  positions: readonly (number | string)[] = tetrahedronPositions,
  indices: readonly number[] = tetrahedronIndices,
): string {
  let text = '<mesh><vertices>';
  for (let i = 0; i < positions.length; i += 3)
    text += `<vertex x="${positions[i]}" y="${positions[i + 1]}" z="${positions[i + 2]}"/>`;
  text += '</vertices><triangles>';
  for (let i = 0; i < indices.length; i += 3)
    text += `<triangle v1="${indices[i]}" v2="${indices[i + 1]}" v3="${indices[i + 2]}"/>`;
  return `${text}</triangles></mesh>`;
}

export const modelXml = (resources: string, build: string, attributes = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<model xmlns="${core}" xmlns:p="${production}" ${attributes}>\n<resources>${resources}</resources>\n<build>${build}</build>\n</model>`;

export const tetrahedronModel = (): string =>
  modelXml(`<object id="1" type="model">${meshXml()}</object>`, '<item objectid="1"/>');

/** A package of files; the model is `3D/3dmodel.model`. */
export function threeMf(
  model: string | Uint8Array,
  others: Readonly<Record<string, string>> = {},
): Uint8Array {
  const files: Record<string, Uint8Array> = {};
  for (const [name, text] of Object.entries({
    '_rels/.rels': relationships(),
    '3D/3dmodel.model': model,
    ...others,
  }))
    files[name] = typeof text === 'string' ? strToU8(text) : text;
  return zipSync(files, { level: 6 });
}
