/** The thread that was writing an entry has ended. The log may have the entry, and the index may lack it. */
export class WriterEndedError extends Error {
  constructor(reason: unknown) {
    super('The thread that was writing to the log has ended', { cause: reason })
  }
}
