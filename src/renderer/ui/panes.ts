const shown = (element: HTMLElement): boolean => element.checkVisibility()

const panes = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => shown(pane))

/** Focuses the list of a pane, or else the pane itself. */
function enter(pane: HTMLElement): void {
  const list = pane.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [aria-current="page"]')
  ;(list ?? pane).focus()
}

const checkBoxes = '[data-found] [role="checkbox"]'

/** Moves the focus from a search field to what it found, a list or check boxes; returns whether there is anything. */
export function enterFoundBy(field: HTMLElement): boolean {
  const around = field.closest('[data-pane], [role="dialog"]')
  const found = around?.querySelector<HTMLElement>(`[role="grid"][tabindex="0"], ${checkBoxes}`) ?? null
  found?.focus()
  return found !== null
}

/** Moves the focus by an arrow key from one of the check boxes of a search to the next, and up to its field. */
export function walkFound({ key, currentTarget }: Pick<KeyboardEvent, 'key'> & { currentTarget: Element }): boolean {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  const around = currentTarget.closest('[data-pane], [role="dialog"]')
  if (step === 0 || around === null) return false
  const stops = [...around.querySelectorAll<HTMLElement>(`[data-find], ${checkBoxes}`)]
  stops[stops.findIndex((stop) => stop === document.activeElement) + step]?.focus()
  return true
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
