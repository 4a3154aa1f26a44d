/** Restrictions for all pages of the app: no Node, a sandbox, no embedding, no spell checker. */
export const strictPage = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  spellcheck: false,
} as const
