import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So many closed connections leave enough garbage to be worth holding the main thread for some 20 ms. */
const manyConnections = 200
const restMs = 5_000

/**
 * Returns memory to the system after a flood; call the returned function for each connection that has closed. V8 collects
 * garbage only when memory is requested, and after a flood nothing requests any: without this, garbage stays for hours.
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
