/**
 * Syncs block threads of the libuv pool. With the default of four threads, four slow syncs block all other file access. Call
 * this before the first file access; later it has no effect.
 */
export function widenThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= '16'
}
