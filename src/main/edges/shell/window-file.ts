import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'

const boundsSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Bounds = z.infer<typeof boundsSchema>

const schema = z.object({
  /** Of the window when it is not maximised; null before the first close. */
  bounds: boundsSchema.nullable().catch(null),
  isMaximised: z.boolean().catch(false),
  /** Whether it was told once that closing the window leaves the listener on. */
  toldOfTray: z.boolean().catch(false),
})
export type WindowState = z.infer<typeof schema>

/**
 * What has to be known before the library is open: where the window stood. A small file
 * of its own; one that is damaged is as good as none.
 */
export function openWindowFile(path: string, log: (line: string) => void) {
  let state = schema.parse(readJson(path))
  let writing = Promise.resolve()
  return {
    state: () => state,
    change(change: Partial<WindowState>): void {
      state = { ...state, ...change }
      const text = JSON.stringify(state, null, 2)
      // One after the other and by a rename, so that the file is always whole.
      writing = writing
        .then(() => writeFile(`${path}.new`, text))
        .then(() => rename(`${path}.new`, path))
        .catch(() => log('the state of the window could not be kept'))
    },
    /** Resolves when everything that was changed is in the file. */
    settled: () => writing,
  }
}

export type WindowFile = ReturnType<typeof openWindowFile>

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
