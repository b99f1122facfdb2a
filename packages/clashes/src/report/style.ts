// The style sheet of the report: system fonts, light and dark by the reader's setting, one column on a phone.

export const style = `
:root { color-scheme: light dark; --ink: #1c2530; --soft: #5b6875; --page: #ffffff; --panel: #f5f7f9; --line: #dde3e9;
  --stage: linear-gradient(#f8fafb, #e6ecf1); --link: #1f5fae;
  --crossing: #c81e32; --within: #7a3ea8; --coincident: #a35a00; --touching: #1b7a6c; --separate: #b0177f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf2; --soft: #9aa7b4; --page: #12161b; --panel: #1a2027; --line: #2c353f;
    --stage: linear-gradient(#39434e, #1d242b); --link: #83b4f0;
    --crossing: #ff7b86; --within: #c79bf0; --coincident: #f0b060; --touching: #62cdbb; --separate: #ff8ad0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main, footer { max-width: 1120px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 40px; }
h1 { margin: 0 0 8px; font-size: clamp(26px, 5vw, 40px); line-height: 1.15; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { margin: 48px 0 12px; font-size: 22px; letter-spacing: -0.01em; }
a { color: var(--link); }
.kicker { margin: 0 0 4px; color: var(--soft); font-size: 14px; }
.summary { margin: 0; max-width: 70ch; color: var(--soft); overflow-wrap: anywhere; }
.warning { margin-top: 8px; color: var(--coincident); }
.tally { display: flex; flex-wrap: wrap; gap: 8px 20px; margin: 16px 0 24px; padding: 0; list-style: none; }
.badge { display: inline-block; padding: 1px 9px; border: 1px solid currentColor; border-radius: 99px; font-size: 13px; line-height: 1.5; white-space: nowrap; }
.crossing { color: var(--crossing); } .inside, .contains { color: var(--within); }
.coincident { color: var(--coincident); } .touching { color: var(--touching); } .separate { color: var(--separate); }
.note, figcaption { color: var(--soft); font-size: 14px; }
figure { margin: 0; }
.stage { position: relative; background: var(--stage); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.stage img { display: block; width: 100%; height: auto; }
.overview figcaption { padding: 8px 2px; }
.swatch { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.35em 0 0.1em; border-radius: 3px; vertical-align: -0.05em; }
.pin { position: absolute; width: 26px; height: 26px; margin: -13px; border-radius: 50%; background: var(--page); color: var(--ink);
  border: 2px solid rgb(214 32 48); font: 600 13px/22px system-ui, sans-serif; text-align: center; text-decoration: none; }
.pin:hover, .pin:focus { background: rgb(214 32 48); color: #fff; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); gap: 24px 20px; }
.card { scroll-margin-top: 16px; }
.card:target .stage { outline: 3px solid rgb(214 32 48); }
.card figcaption { display: flex; gap: 10px; padding: 8px 2px 0; color: var(--ink); }
.count { font-weight: 600; } .names { flex: 1; overflow-wrap: anywhere; } .facts { text-align: right; color: var(--soft); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th { text-align: left; font-weight: 600; color: var(--soft); background: var(--panel); font-size: 13px; }
th, td { padding: 7px 12px; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td:not(.n) { min-width: 5.5em; }
tbody tr:last-child td { border-bottom: 0; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; padding: 6px 0; }
footer { padding: 40px 20px 48px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
@media (max-width: 560px) {
  main { padding: 0 14px; } header { padding-top: 24px; } th, td { padding: 6px 7px; font-size: 14px; } th.n { white-space: normal; }
  .pin { width: 20px; height: 20px; margin: -10px; font-size: 11px; line-height: 16px; }
}
@media print { details { display: block; } .card { break-inside: avoid; } }
`;
