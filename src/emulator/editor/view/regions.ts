const focusable = 'button:not([tabindex="-1"]), input, select, textarea, [contenteditable="true"], a[href]'

/** Moves the focus to the next or the previous part of the window: the elements marked `data-region`. */
export function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  const current = regions.findIndex((region) => region.contains(document.activeElement))
  const next = regions[(current + step + regions.length) % regions.length]
  const target = next?.matches(focusable) === true ? next : next?.querySelector<HTMLElement>(focusable)
  target?.focus()
}
