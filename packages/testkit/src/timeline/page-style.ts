/** The look of the page: no fonts, images or scripts from elsewhere. */
export const pageStyle = `
:root { --back: #ffffff; --fore: #1c2430; --soft: #66717f; --line: #e3e7ec; --band: #f6f8fa; --pick: #fff4d6;
  --create: #1a7f4b; --update: #2463c9; --delete: #c62f3a; --work: #8a63c9; --arrow: #8a63c9; }
@media (prefers-color-scheme: dark) { :root { --back: #14181d; --fore: #e4e8ee; --soft: #94a0ae; --line: #2a313a;
  --band: #1a1f26; --pick: #3a3320; --create: #4cc38a; --update: #6ea3ff; --delete: #ff7b83; --work: #b795f2; --arrow: #b795f2; } }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: auto 1fr / 1fr 380px; background: var(--back); color: var(--fore);
  font: 13px/1.45 system-ui, "Segoe UI", sans-serif; }
header { grid-column: 1 / -1; display: flex; gap: 18px; align-items: center; flex-wrap: wrap; padding: 10px 16px;
  border-bottom: 1px solid var(--line); }
h1 { font-size: 15px; margin: 0; font-weight: 650; }
header .facts { color: var(--soft); }
header label { color: var(--soft); }
select, input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; }
input { width: 220px; }
.legend { display: flex; gap: 12px; color: var(--soft); }
.legend i { display: inline-block; width: 10px; height: 10px; margin-right: 5px; border-radius: 50%; }
.legend i.bar { border-radius: 2px; width: 16px; height: 8px; }
main { overflow: auto; position: relative; }
svg { display: block; }
svg text { fill: var(--fore); font-size: 12px; }
svg text.soft { fill: var(--soft); font-size: 11px; }
.band { fill: var(--band); }
.gap { stroke: var(--line); stroke-dasharray: 2 4; }
.tick { stroke: var(--line); }
.mark { cursor: pointer; }
.mark.create { fill: var(--create); } .mark.update { fill: var(--update); } .mark.delete { fill: var(--delete); }
.mark.work { fill: var(--work); opacity: .75; }
.arrow { fill: none; stroke: var(--arrow); stroke-width: 1; opacity: .16; }
.arrow.on { opacity: 1; stroke-width: 1.8; }
.dim .mark { opacity: .18; } .dim .arrow { opacity: .03; }
.dim .mark.on { opacity: 1; } .dim .arrow.on { opacity: 1; }
.mark.chosen { stroke: var(--fore); stroke-width: 2; }
.labels rect { fill: var(--back); }
aside { border-left: 1px solid var(--line); overflow: auto; padding: 14px 16px; }
aside h2 { font-size: 14px; margin: 0 0 2px; overflow-wrap: anywhere; }
aside .by { color: var(--soft); margin-bottom: 12px; overflow-wrap: anywhere; }
aside h3 { font-size: 12px; color: var(--soft); font-weight: 600; margin: 16px 0 4px; }
aside a { color: var(--update); text-decoration: none; cursor: pointer; display: block; padding: 2px 0; overflow-wrap: anywhere; }
aside a:hover { text-decoration: underline; }
.path { font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; padding: 4px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.path b { font-weight: 600; display: block; }
.path del { color: var(--delete); text-decoration: none; display: block; } .path del::before { content: "- "; }
.path ins { color: var(--create); text-decoration: none; display: block; } .path ins::before { content: "+ "; }
.hint { color: var(--soft); }
#tip { position: fixed; pointer-events: none; background: var(--fore); color: var(--back); padding: 4px 8px; border-radius: 6px;
  font-size: 12px; max-width: 460px; display: none; z-index: 2; overflow-wrap: anywhere; }
`;
