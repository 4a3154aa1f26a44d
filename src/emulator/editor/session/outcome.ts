import type { SaveReport } from './session.ts'

/** A message for the user; `bad` ones are announced immediately and stay until dismissed. */
export interface Notice {
  readonly tone: 'quiet' | 'good' | 'bad'
  readonly text: string
}

const sentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

const adviceByError: Readonly<Record<string, string>> = {
  timeout: 'Wait a little and save again.',
  unreachable: 'Ask whoever runs the site whether it is up, then save again.',
  dummy_client_url: 'Tell whoever runs the site; the pictures are safe here.',
  invalid_client_url: 'Tell whoever runs the site; the pictures are safe here.',
  missing_vms_json: 'Tell whoever runs the site; the pictures are safe here.',
  invalid_credentials: 'The site has to open this page anew with other credentials.',
}

/** Describes a save's result: what happened, what it means for the page, what to do next. */
export function noticeOf({ result, error, message }: SaveReport): Notice {
  const words = message.trim() === '' ? '' : ` ${sentence(message)}`
  switch (result) {
    case 'merged':
      return { tone: 'good', text: `Saved. The site answered:${words === '' ? ' yes.' : words}` }
    case 'rejected':
      return {
        tone: 'bad',
        text: `The site refused this save:${words === '' ? ' it gave no reason.' : words} The site shows what it showed before. Your page is kept here; change it and save again.`,
      }
    case 'webhook_failed':
      return {
        tone: 'bad',
        text: `The site did not confirm this save.${words} Your page is kept here. ${adviceByError[error ?? ''] ?? 'Save again; if it happens again, tell whoever runs the site.'}`,
      }
  }
}
