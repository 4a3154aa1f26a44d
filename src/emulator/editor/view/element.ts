/** Creates an element with properties and children; attributes that are no properties are set by the caller. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** A push button. */
export const button = (text: string, className: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', className, onclick }, text)

/** An element of index.html; its absence is a mistake in that file. */
export function existing<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} #${id}`)
}
