// The style sheet of the report: system fonts, light and dark by the reader's setting, one column on a phone.

export const style = `
:root { color-scheme: light dark; --ink: #1a232d; --soft: #55626f; --page: #ffffff; --panel: #f4f6f8; --line: #dbe1e7;
  --stage: linear-gradient(#f8fafb, #e6ecf1); --link: #1c5aa6; --accent: #1c5aa6;
  --crossing: #b81a2d; --within: #7338a0; --coincident: #8f4f00; --touching: #156b5f; --separate: #a01272;
  --bad: #b81a2d; --fair: #8f4f00; --good: #156b3f; --bad-tint: #fdf0f1; --fair-tint: #fdf6ea; --good-tint: #edf7f1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf2; --soft: #9daab7; --page: #12161b; --panel: #1a2027; --line: #2e3842;
    --stage: linear-gradient(#39434e, #1d242b); --link: #8ab8f2; --accent: #8ab8f2;
    --crossing: #ff8690; --within: #cba3f2; --coincident: #f0b366; --touching: #6bd0bf; --separate: #ff93d4;
    --bad: #ff8690; --fair: #f0b366; --good: #74d49c; --bad-tint: #2a191d; --fair-tint: #292118; --good-tint: #16251d; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
html:not(.js) .js-only { display: none; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main, footer { max-width: 1160px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 40px; }
h1 { margin: 0 0 20px; font-size: clamp(24px, 4vw, 36px); line-height: 1.15; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { margin: 56px 0 8px; font-size: 22px; letter-spacing: -0.01em; }
h3 { margin: 28px 0 8px; font-size: 16px; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button, select, input { font: inherit; color: inherit; }
button, select, input[type=search] { border: 1px solid var(--line); border-radius: 7px; background: var(--page); padding: 5px 10px; }
select, input[type=search] { height: 36px; } button { cursor: pointer; } button:hover { border-color: var(--soft); }
code { font: 0.88em ui-monospace, monospace; } small { font-size: 13px; color: var(--soft); }
.kicker { margin: 0 0 4px; color: var(--soft); font-size: 14px; }
.lead { margin: 0 0 16px; padding: 14px 18px; border-left: 5px solid var(--fair); border-radius: 0 10px 10px 0; background: var(--fair-tint);
  font-size: clamp(18px, 2.4vw, 22px); line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
.lead.bad { border-color: var(--bad); background: var(--bad-tint); } .lead.good { border-color: var(--good); background: var(--good-tint); }
.summary { margin: 0; max-width: 84ch; color: var(--soft); font-size: 15px; overflow-wrap: anywhere; }
.summary.warning { margin-top: 8px; color: var(--fair); font-size: 14px; }
.tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 0 0 16px; padding: 0; list-style: none; }
.tile { display: block; padding: 8px 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--soft);
  font-size: 14px; text-decoration: none; }
a.tile:hover { border-color: var(--soft); }
.tile b { display: block; font-size: 24px; line-height: 1.2; color: var(--ink); font-variant-numeric: tabular-nums; }
.tile.clash b, .tile.new b, .tile.worse b { color: var(--bad); } .tile.too-close b { color: var(--separate); } .tile.resolved b { color: var(--good); }
.small .tile b { display: inline; font-size: 17px; }
.badge, .verdict, .word { display: inline-block; padding: 1px 9px; border: 1px solid currentColor; border-radius: 99px; font-size: 13px; line-height: 1.5; white-space: nowrap; }
.verdict { border-radius: 6px; color: var(--soft); } .word { border-radius: 6px; color: var(--soft); }
.verdict.clash { color: var(--page); background: var(--bad); border-color: var(--bad); font-weight: 600; }
.verdict.too-close { color: var(--page); background: var(--separate); border-color: var(--separate); font-weight: 600; }
.verdict.touching { color: var(--touching); }
.crossing { color: var(--crossing); } .inside, .contains { color: var(--within); }
.coincident { color: var(--coincident); } .badge.touching { color: var(--touching); } .separate { color: var(--separate); }
.word.new, .word.worse, .word.critical { color: var(--bad); } .word.moved, .word.major, .word.open { color: var(--fair); }
.word.better, .word.resolved, .word.fixed { color: var(--good); }
.note, .overview figcaption { color: var(--soft); font-size: 14px; max-width: 100ch; }
.soft { color: var(--soft); font-size: 14px; }
figure { margin: 0; }
.stage { position: relative; background: var(--stage); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.stage img { display: block; width: 100%; height: auto; }
.overview { margin-top: 24px; } .overview figcaption { padding: 8px 2px; }
.swatch { display: inline-block; flex: none; width: 0.8em; height: 0.8em; margin: 0 0.35em 0 0.1em; border-radius: 3px; vertical-align: -0.05em; }
.pin { position: absolute; width: 26px; height: 26px; margin: -13px; border-radius: 50%; background: var(--page); color: var(--ink);
  border: 2px solid rgb(214 32 48); font: 600 13px/22px system-ui, sans-serif; text-align: center; text-decoration: none; }
.pin:hover, .pin:focus { background: rgb(190 24 40); color: #fff; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: 28px 22px; margin-top: 16px; }
.card { scroll-margin-top: 16px; }
.card:target .stage { outline: 3px solid rgb(214 32 48); }
.card .count { position: absolute; top: 10px; left: 10px; min-width: 26px; padding: 0 6px; border-radius: 99px; background: var(--page);
  border: 2px solid rgb(214 32 48); font: 600 13px/22px system-ui, sans-serif; text-align: center; }
.card .turn { position: absolute; right: 10px; bottom: 10px; font-size: 14px; }
figcaption, .about { overflow-wrap: anywhere; }
.card figcaption { padding: 10px 2px 0; }
.measure { display: block; font-size: 19px; font-weight: 650; letter-spacing: -0.01em; }
.tags { display: block; margin: 4px 0 8px; }
figcaption .part, .about .part { display: flex; align-items: baseline; margin: 3px 0; line-height: 1.35; } .part small { display: block; }
.more { display: block; margin-top: 6px; font-size: 13px; color: var(--soft); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th { text-align: left; font-weight: 600; color: var(--soft); background: var(--panel); font-size: 13px; }
th, td { padding: 7px 12px; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td:not(.n) { min-width: 5.5em; }
tbody tr:last-child td, tbody tr:last-child th { border-bottom: 0; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.hash { font-size: 12px; white-space: nowrap; } .place { font-size: 13px; color: var(--soft); }
#pairs { scroll-margin-top: 8px; }
#pairs table { border-collapse: separate; border-spacing: 0; }
#pairs th { position: sticky; top: 0; z-index: 1; white-space: nowrap; }
#pairs th button { padding: 0; border: 0; background: none; font: inherit; text-align: inherit; } html:not(.js) #pairs th button { cursor: default; }
#pairs th[aria-sort] button::after { content: ' ↑'; color: var(--ink); } #pairs th[aria-sort=descending] button::after { content: ' ↓'; }
#pairs td { white-space: nowrap; max-width: 300px; overflow: hidden; text-overflow: ellipsis; vertical-align: middle; }
#pairs td .part, #pairs td small, #pairs .remark { display: block; overflow: hidden; text-overflow: ellipsis; }
#pairs td .part { color: inherit; text-decoration: none; } #pairs td .part:hover { text-decoration: underline; }
#pairs .verdict + small { display: inline; }
#pairs .space td { padding: 0; border: 0; }
.long { max-height: min(78vh, 900px); overflow: auto; }
.filters:not([hidden]) { display: flex; flex-wrap: wrap; align-items: end; gap: 10px 14px; margin: 12px 0; }
.filters label span { display: block; font-size: 13px; color: var(--soft); }
.filters .search { flex: 1 1 220px; } .filters input { width: 100%; } .filters select { max-width: 230px; }
.filters .note { margin: 0; } .chips { display: flex; flex-wrap: wrap; gap: 8px; } .chips:empty { display: none; }
.chips button { max-width: 320px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 14px; }
.matrix th[scope=col] { vertical-align: bottom; } .matrix td, .matrix th { border-right: 1px solid var(--line); } .matrix td:last-child, .matrix th[scope=col]:last-child { border-right: 0; }
.matrix th[scope=row] { position: sticky; left: 0; } .whole { white-space: nowrap; }
.matrix td { min-width: 7em; font-size: 14px; } .matrix small { display: block; } .matrix td a { display: block; color: inherit; text-decoration: none; }
.matrix td a:hover b { text-decoration: underline; } .matrix .hit { background: var(--bad-tint); } .matrix .hit b { color: var(--bad); font-size: 17px; }
.matrix .mirror { background: var(--panel); } .matrix .none, .matrix .unchecked { color: var(--soft); }
.groups { border: 1px solid var(--line); border-radius: 10px; } .group + .group { border-top: 1px solid var(--line); }
.group summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; padding: 9px 14px; } .group summary::before { content: '▸'; color: var(--soft); } .group[open] summary::before { content: '▾'; }
.group summary::-webkit-details-marker { display: none; }
.group .title { flex: 1 1 200px; min-width: min(60%, 500px); overflow-wrap: anywhere; } .group .size { font-variant-numeric: tabular-nums; color: var(--soft); text-align: right; }
.group table { border-top: 1px solid var(--line); } .group .note { margin: 0; padding: 8px 14px; }
summary { cursor: pointer; padding: 6px 0; } .rest > summary { margin-top: 8px; color: var(--link); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 250px), 1fr)); gap: 12px 24px; margin: 12px 0; }
.facts dt { font-size: 13px; color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.words { grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); } .words dt { color: var(--ink); font-weight: 600; margin-bottom: 2px; }
footer { padding: 48px 20px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
dialog { width: min(1200px, 96vw); height: min(860px, 94vh); max-width: none; max-height: none; padding: 0; border: 1px solid var(--line); border-radius: 12px;
  background: var(--page); color: var(--ink); }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 0.55); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 10px 12px; border-bottom: 1px solid var(--line); font-size: 14px; }
.bar fieldset { display: flex; gap: 10px; margin: 0 6px; padding: 0; border: 0; } .bar legend { position: absolute; clip-path: inset(50%); }
.bar .which { min-width: 4.5em; text-align: center; font-variant-numeric: tabular-nums; } .bar .close { margin-left: auto; }
.scene { position: relative; flex: 1; min-height: 0; background: var(--stage); }
.scene canvas { display: block; position: absolute; width: 100%; height: 100%; touch-action: none; } .failed canvas { visibility: hidden; }
.message { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; padding: 24px; text-align: center; pointer-events: none; } .message:empty { display: none; }
.hint { position: absolute; left: 12px; bottom: 8px; margin: 0; font-size: 13px; color: var(--soft); pointer-events: none; } .failed .hint { display: none; }
.about { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 18px; max-height: 30%; overflow: auto; padding: 10px 14px; border-top: 1px solid var(--line); }
.about .tags { margin: 0; } .about .more { flex-basis: 100%; margin: 0; }
@media (max-width: 560px) {
  main { padding: 0 14px; } header { padding-top: 24px; } th, td { padding: 6px 7px; font-size: 14px; } th.n { white-space: normal; }
  .pin { width: 20px; height: 20px; margin: -10px; font-size: 11px; line-height: 16px; }
  #pairs td { max-width: 132px; } .tile { padding: 6px 10px; } .tile b { font-size: 20px; } .hint { display: none; }
  .filters label { flex: 1 1 45%; } .filters select { width: 100%; max-width: none; }
}
@media print { details { display: block; } .card, tr { break-inside: avoid; } .long { max-height: none; overflow: visible; } #filters, .turn { display: none !important; } }
`;
