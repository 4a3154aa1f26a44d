/**
 * How long an idle thread waits for its next job before it ends and gives its memory back, in milliseconds: longer than
 * the pauses of somebody who saves again and again, since a thread takes some dozens of milliseconds to start.
 */
export const restMs = 30_000
