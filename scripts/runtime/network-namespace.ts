/** A place of its own in the system, without a network; only Linux has them, and not every container may make one. */
import { capture } from './processes.ts'

/** Arguments of `unshare`. With process ids of its own, everything in there ends with its first process. */
export const apart: readonly string[] = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ...['--net', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child'],
]

/** Whether this user may make one, with a cable in it. */
export async function hasNetworkNamespaces(): Promise<boolean> {
  const cable = ['ip', 'link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'nowhere']
  return (await capture('unshare', [...apart, ...cable])).code === 0
}
