import { historyKeptMs } from '@galley/wire'

/**
 * When a session expires with its versions: after the contract's history period without access (Limits). The next
 * session/open then creates a new session from the site's request.
 */
export const keptUntilMs = (lastAccessMs: number): number => lastAccessMs + historyKeptMs

/** Sessions last used before this time have expired. */
export const expiredBeforeMs = (nowMs: number): number => nowMs - historyKeptMs
