/** How long some work keeps the processors busy for this process, in milliseconds: the same on a machine that is busy with others. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
