/** The window on a large library: first paint, search, scrolling, memory and cold start. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { ensureSystem } from '../runtime/debian.ts'
import { withDisplay } from '../runtime/display.ts'
import { findElectron } from '../runtime/electron.ts'
import { fillLibrary } from './big-library.ts'
import { atMost, type Figure } from './figure.ts'
import { measureArrivals } from './interface/arrivals.ts'
import { measureColdStart } from './interface/cold-start.ts'
import { measureComparing, saveLargeStates } from './interface/comparing.ts'
import { measureLists } from './interface/lists.ts'
import { measureScrolling, scrollStaticList } from './interface/scrolling.ts'
import { bareApp, galleyOn, withWindow, type Machine, type OpenWindow } from './interface/window.ts'
import { privateMb, residentMb } from './memory.ts'
import { warmUp, withStage, type BenchOptions } from './stage.ts'

export async function benchInterface(options: BenchOptions): Promise<readonly Figure[]> {
  await ensureSystem(['electron'])
  const electron = await findElectron()
  return withStage(options, async (stage) => {
    // One real save, which the large library repeats. After it, the app runs the listener.
    await warmUp(stage)
    const largeStates = await saveLargeStates(stage)
    await stage.listener.stop()
    const library = join(stage.folder, 'library')
    const start = performance.now()
    await fillLibrary(library, 'bench')
    console.log(`Interface, Electron ${electron.version}: 10,000 materials, 100,000 versions, 50,000 callbacks`)
    console.log(`  library filled in:        ${((performance.now() - start) / 1000).toFixed(1)} s`)
    return withDisplay(async (display) => {
      const folder = join(stage.folder, 'profiles')
      mkdirSync(folder)
      const machine: Machine = { electron, display, folder }
      const still = await withWindow(machine, bareApp, (bare) => scrollStaticList(bare, options.isQuick))
      const figures = await withWindow(machine, galleyOn(library), async (window) => [
        // First, while the list shows the newest materials.
        await measureArrivals(window, stage, options.isQuick),
        ...(await measureLists(window, options.isQuick)),
        ...(await measureScrolling(window, still, options.isQuick)),
        memoryOf(window),
        ...(await measureComparing(window, largeStates, options.isQuick)),
      ])
      return [...figures, await measureColdStart(machine, library, options.isQuick)]
    })
  })
}

/** Measured last, when every list has been shown and scrolled. */
function memoryOf({ rendererId }: OpenWindow): Figure {
  const shown = [privateMb(rendererId), residentMb(rendererId)].map((value) => value?.toFixed(0) ?? '?')
  console.log(`  memory of the window, MB: ${shown[0]} of its own, ${shown[1]} with the program and what is shared`)
  return atMost('interface: memory of the window', privateMb(rendererId), 250, ' MB')
}
