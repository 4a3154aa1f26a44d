import { historyKeptMs } from '../../contract/domain/material.ts'

/**
 * A session and its versions outlive the last access to it for as long as the contract keeps history (Limits). Then it
 * is gone: the next opening makes a new one out of what the site passes.
 */
export const keptUntilMs = (lastAccessMs: number): number => lastAccessMs + historyKeptMs

/** Sessions last used before this moment are gone. */
export const goneBeforeMs = (nowMs: number): number => nowMs - historyKeptMs
