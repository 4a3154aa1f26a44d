const shown = (element: HTMLElement): boolean => element.checkVisibility()

const panes = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => shown(pane))

/** Puts the focus into a pane: on its list, or else on the pane itself. */
function enter(pane: HTMLElement): void {
  const list = pane.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [aria-current="page"]')
  ;(list ?? pane).focus()
}

/** The name of the pane that has the focus, or null. */
export const paneNow = (): string | null =>
  document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? null

/** Puts the focus into the pane of this name, if it is shown; says whether it is. */
export function focusPane(name: string): boolean {
  const pane = panes().find((other) => other.dataset['pane'] === name)
  if (pane !== undefined) enter(pane)
  return pane !== undefined
}

/** F6: the next pane in the order of the page, around its end. */
export function cyclePanes(step: -1 | 1): void {
  const all = panes()
  const at = all.findIndex((pane) => pane.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : (at + step + all.length) % all.length
  const pane = all[next]
  if (pane !== undefined) enter(pane)
}
