/** The Node-API that the addon of SQLite is built for. A Node with an older one crashes when it loads the addon. */
const nodeApi = 10

interface Paths {
  readonly running: string
  /** The Node that npm has installed for Galley, if it has. */
  readonly installed: string | null
}

/** Why this Node cannot run Galley, as a sentence for a person; null if it can. */
export function nodeProblem(
  { node, napi }: { readonly node: string; readonly napi: string | undefined },
  { running, installed }: Paths,
): string | null {
  if (Number(napi) >= nodeApi) return null
  const example = installed === null ? '' : `, for example ${installed}`
  return `Galley cannot run on Node ${node} (${running}). Use Node 24, or 22.14 or later of Node 22${example}.`
}
