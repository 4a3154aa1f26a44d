/** What no page of the app may do, whoever wrote it: reach Node, leave its sandbox, embed others, or call a spell checker. */
export const strictPage = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  spellcheck: false,
} as const
