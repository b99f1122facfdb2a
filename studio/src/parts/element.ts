// Creates elements of the page in one call.

type Child = Node | string | undefined | false;
type Properties<T> = {
  [K in keyof T]?: T[K] extends ((...args: never[]) => unknown) | null ? T[K] | undefined : T[K];
} & { class?: string; data?: Record<string, string>; aria?: Record<string, string | undefined> };

/** `element('button', { class: 'quiet', onclick }, 'Open')`. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  const { class: className, data, aria, ...rest } = properties;
  if (className) made.className = className;
  for (const [name, value] of Object.entries(data ?? {})) made.dataset[name] = value;
  for (const [name, value] of Object.entries(aria ?? {})) {
    if (value !== undefined) made.setAttribute(name === 'role' ? name : `aria-${name}`, value);
  }
  Object.assign(made, rest);
  made.append(...children.filter(child => child !== undefined && child !== false));
  return made;
}

/** A button with an icon and an accessible name. */
export function iconButton(
  icon: string,
  title: string,
  onclick: (event: MouseEvent) => void,
): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'icon', title, onclick, aria: { label: title } });
  button.innerHTML = icon;
  return button;
}

/** Throws if the page does not match its script. */
export function find<T extends Element>(selector: string, within: ParentNode = document): T {
  const found = within.querySelector<T>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}
