/** The first of Node 22 that gives access to the certificates of the system. Node 23 is out of support. */
const oldest = [22, 15] as const

interface Paths {
  readonly running: string
  /** The Node that npm has installed for Galley, if it has. */
  readonly installed: string | null
}

/** Why this Node cannot run Galley, as a sentence for a person; null if it can. */
export function nodeProblem(node: string, { running, installed }: Paths): string | null {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major > 23 || (major === oldest[0] && minor >= oldest[1])) return null
  const example = installed === null ? '' : `, for example ${installed}`
  return `Galley cannot run on Node ${node} (${running}). Use Node 24, or 22.15 or later of Node 22${example}.`
}
