const shown = (element: HTMLElement): boolean => element.checkVisibility()

const panes = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => shown(pane))

/** Focuses the list of a pane, or else the pane itself. */
function enter(pane: HTMLElement): void {
  const list = pane.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [aria-current="page"]')
  ;(list ?? pane).focus()
}

/** Moves the focus from a field to the list of its pane; returns whether there is one. */
export function enterListFrom(field: HTMLElement): boolean {
  const list = field.closest('[data-pane]')?.querySelector<HTMLElement>('[role="grid"][tabindex="0"]') ?? null
  list?.focus()
  return list !== null
}

/** Moves the focus from a pane to its list, once the list appears. */
export function enterFromPane(list: HTMLElement | null): void {
  if (list !== null && list.closest('[data-pane]') === document.activeElement) list.focus()
}

/** The name of the focused pane, or null. */
export const currentPane = (): string | null =>
  document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? null

/** Focuses the pane of this name; returns whether it is shown. */
export function focusPane(name: string): boolean {
  const pane = panes().find((other) => other.dataset['pane'] === name)
  if (pane !== undefined) enter(pane)
  return pane !== undefined
}

/** F6: focuses the next pane in page order, wrapping around. */
export function cyclePanes(step: -1 | 1): void {
  const all = panes()
  const at = all.findIndex((pane) => pane.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : (at + step + all.length) % all.length
  const pane = all[next]
  if (pane !== undefined) enter(pane)
}
