/** A network namespace without a network. Linux only, and not every container may create one. */

import { capture } from './processes.ts'

/** Arguments of `unshare`. With a process namespace too, all processes in it end with the first one. */
export const apart: readonly string[] = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--net',
  '--mount',
  '--pid',
  '--mount-proc',
  '--fork',
  '--kill-child',
]

/** Whether this user may create one with a network interface. */
export async function hasNetworkNamespaces(): Promise<boolean> {
  const cable = ['ip', 'link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'nowhere']
  return (await capture('unshare', [...apart, ...cable])).code === 0
}
