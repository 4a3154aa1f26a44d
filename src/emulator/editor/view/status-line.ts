import type { SaveReport } from '../session/api.ts'

/** What the line under the heading says, and in which tone. */
export interface Status {
  readonly tone: 'quiet' | 'good' | 'bad'
  readonly text: string
}

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** The site's answer to a save in plain words. */
export function statusOf({ result, message }: SaveReport): Status {
  switch (result) {
    case 'merged':
      return { tone: 'good', text: `Saved. The site answered: ${ended(message)}` }
    case 'rejected':
      return { tone: 'bad', text: `The site refused this save: ${ended(message)} Nothing changed on the site.` }
    case 'webhook_failed':
      return { tone: 'bad', text: `The site did not take this save. ${ended(message)} You can save again.` }
  }
}

/** Shows a status; screen readers hear it because the element is a live region. */
export function showStatus(line: HTMLElement, { tone, text }: Status): void {
  line.textContent = text
  line.dataset['tone'] = tone
}
