import type { SaveReport } from './session.ts'

/** A message for the user; `bad` ones are announced immediately and stay until dismissed. */
export interface Notice {
  readonly tone: 'quiet' | 'good' | 'bad'
  readonly text: string
}

const sentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

const adviceByError: Readonly<Record<string, string>> = {
  timeout: 'Wait a moment, then save again.',
  unreachable: 'Ask the site’s administrator whether it is running, then save again.',
  dummy_client_url: 'Contact the site’s administrator; the pictures are safe here.',
  invalid_client_url: 'Contact the site’s administrator; the pictures are safe here.',
  missing_vms_json: 'Contact the site’s administrator; the pictures are safe here.',
  invalid_credentials: 'Open this page again from the site to update its credentials.',
}

/** Describes a save's result: what happened, what it means for the page, what to do next. */
export function noticeOf({ result, error, message }: SaveReport): Notice {
  const words = message.trim() === '' ? '' : ` ${sentence(message)}`
  switch (result) {
    case 'merged':
      return { tone: 'good', text: `Saved.${words === '' ? '' : ` The site responded:${words}`}` }
    case 'rejected':
      return {
        tone: 'bad',
        text: `The site rejected this save${words === '' ? ' without a reason.' : `:${words}`} The published page is unchanged. Your changes are kept here; edit them and save again.`,
      }
    case 'webhook_failed':
      return {
        tone: 'bad',
        text: `The site did not confirm this save.${words} Your changes are kept here. ${adviceByError[error ?? ''] ?? 'Save again; if it keeps happening, contact the site’s administrator.'}`,
      }
  }
}
