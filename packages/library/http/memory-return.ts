import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** After this many closed connections, or so many bytes read from them, a garbage collection is worth blocking the main thread. */
const many = { connections: 200, bytes: 32 * 1024 ** 2 }

/**
 * A collection waits for the end of a short flood, and comes before the minute is over in which memory has to be returned. It
 * blocks the main thread for 8 ms with a heap of 10 MB, 100 ms with 65 MB and 500 ms with 230 MB. Anyone can close 200
 * connections without a signature, so collections are rare: with 230 MB they take 2 % of the main thread, and took 10 % when
 * there was one every five seconds.
 */
const times = { restMs: 5_000, leastMs: 30_000 }

/**
 * Returns memory to the system after a flood of requests. Call the returned function for each closed connection, with the bytes that
 * were read from it. V8 collects garbage only when memory is allocated, so after a flood it would remain for hours.
 */
export function createMemoryReturn({ restMs, leastMs } = times): (bytes: number) => void {
  let closed = 0
  let read = 0
  let timer: NodeJS.Timeout | null = null
  let collectedMs = Number.NEGATIVE_INFINITY
  return (bytes) => {
    closed += 1
    read += bytes
    if ((closed < many.connections && read < many.bytes) || timer !== null) return
    const waitMs = Math.max(restMs, collectedMs + leastMs - performance.now())
    timer = setTimeout(() => {
      timer = null
      closed = 0
      read = 0
      collectGarbage()
      collectedMs = performance.now()
    }, waitMs).unref()
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
