import type { ElectronApplication } from 'playwright'

/** Answers the next dialogs of the system in this order; one that nobody answers is closed without a choice. */
export const answerDialogs = (app: ElectronApplication, ...paths: readonly string[]): Promise<void> =>
  app.evaluate(({ dialog }, paths: readonly string[]) => {
    const left = [...paths]
    dialog.showOpenDialog = async () => {
      const path = left.shift()
      return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] }
    }
    dialog.showSaveDialog = async () => {
      const path = left.shift()
      return { canceled: path === undefined, filePath: path ?? '' }
    }
  }, paths)

/** Keeps the file browser out of it: the path that it would have shown last is recorded instead. */
export async function recordShownInFolder(app: ElectronApplication): Promise<() => Promise<string | undefined>> {
  await app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => void Object.assign(globalThis, { shownInFolder: path })
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'shownInFolder') as string | undefined)
}
