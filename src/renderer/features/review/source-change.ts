/** The event that makes the comparison of texts go to another change; its detail is the number of steps. */
export const sourceChangeEvent = 'galley-change'

/** Goes to another change of the texts that are compared in place of the page. */
export const goToSourceChange = (steps: 1 | -1): void =>
  void document.dispatchEvent(new CustomEvent(sourceChangeEvent, { detail: steps }))
