import type { Readable } from 'node:stream'

/** The bytes of a binary stream. Node does not type its chunks. */
export const chunksOf = (stream: Readable): AsyncIterable<Buffer> => stream
