import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, join } from 'node:path'

/** The script folders inside the build folder. */
const scriptFolders = ['main', 'main/chunks', 'preload', 'renderer/assets']

/**
 * Replaces positions in built scripts, such as `index.js:12:34`, by positions in the sources: `src/main/index.ts:56`. Source
 * maps in `built` are read when a text first names their script. Positions without a map stay.
 */
export function createSourcePositions(built: string): (text: string) => string {
  const maps = new Map<string, SourceMap | null>()

  function mapOf(script: string): SourceMap | null {
    const known = maps.get(script)
    if (known !== undefined) return known
    const found = scriptFolders.map((folder) => readMap(join(built, folder, `${basename(script)}.map`)))
    const map = found.find((each) => each !== null) ?? null
    maps.set(script, map)
    return map
  }

  return (text) =>
    text.replace(/([\w.-]+\.js):(\d+):(\d+)/g, (place, script: string, line: string, column: string) => {
      const origin = mapOf(script)?.findOrigin(Number(line), Number(column))
      if (origin === undefined || !('fileName' in origin)) return place
      return `${origin.fileName.replace(/^.*?\/(?=(?:src|node_modules)\/)/, '')}:${origin.lineNumber}`
    })
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as ConstructorParameters<typeof SourceMap>[0])
  } catch {
    // The installation has no maps, or the script is not Galley's.
    return null
  }
}
