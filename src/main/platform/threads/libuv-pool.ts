/**
 * Syncs wait in the pool of libuv, and with its four threads four slow ones hold up every other use of a file. To be called
 * before the first: later it has no effect.
 */
export function widenThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= '16'
}
