import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** After this many closed connections, a garbage collection is worth blocking the main thread for 20 ms. */
const manyConnections = 200
const restMs = 5_000

/**
 * Returns memory to the system after a flood of requests. Call the returned function for each closed connection. V8 collects
 * garbage only when memory is allocated, so after a flood it would remain for hours.
 */
export function createMemoryReturn(): () => void {
  let closed = 0
  let timer: NodeJS.Timeout | null = null
  return () => {
    closed += 1
    if (closed < manyConnections || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      closed = 0
      collectGarbage()
    }, restMs).unref()
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
