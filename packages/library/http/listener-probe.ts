import type { createSettings } from '../db/commit/settings.ts'

type Settings = Pick<ReturnType<typeof createSettings>, 'get' | 'put' | 'forget'>

const nameOf = (path: string): string => `public-probe:${path}`

/**
 * The test file of a site check, while it runs. A setting of this computer, because the listener may run in another process.
 */
export const createListenerProbe = (settings: Settings) => ({
  show: (path: string, text: string): void => settings.put(nameOf(path), text),
  hide: (path: string): void => settings.forget(nameOf(path)),
  /** The file at a path, or null. */
  at: (path: string): Buffer | null => {
    if (!/^\/fonts\/galley-probe-[0-9a-f-]{36}\.woff2$/.test(path)) return null
    const text = settings.get(nameOf(path))
    return text === null ? null : Buffer.from(text)
  },
})
