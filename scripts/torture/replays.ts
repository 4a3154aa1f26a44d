import { signed } from '../../tests/support/delivery.ts'
import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, type Sent } from '../../tests/support/saves.ts'
import { listProblems } from './support/checks.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const deliveriesAtOnce = 4

/** An attacker repeats one old callback; half of the time, to a restarted listener. */
export const replays: Torture = {
  name: 'replays',
  goal: 'G9',
  title: 'one delivery over and over, also after a restart: one version, one download, the same answer',
  unit: 'replays',
  size: { long: 1_000, short: 30 },
  twins: { 'other-address': 'the service gives each repetition an address of its own, so that none is a replay' },
  run: onStage(play),
}

async function play(stage: Stage, { size, seed, twin, say }: Given): Promise<Verdict> {
  const { service } = stage
  const { prepare } = createSaves(service, randomFrom(seed))
  const broken: string[] = []
  let listener = await stage.listen()
  const originals = [prepare('media', 'post/one'), prepare('fonts', 'site-fonts')]
  for (const save of originals) {
    const answer = await post(listener.url, save)
    if (answer?.json.rc !== 1) throw new NotHeld(`The save was not taken: ${answer?.text}`)
    save.answer = answer.text
  }
  const downloadsBefore = service.downloads.length

  let [sent, different] = [0, 0]
  const replay = async (): Promise<void> => {
    while (sent < size) {
      const save = originals[sent % originals.length]
      sent += 1
      if (save === undefined) return
      const again = twin === 'other-address' ? elsewhere(save, sent) : save
      const answer = await post(listener.url, again)
      if (answer?.status !== 200 || answer.text !== save.answer) different += 1
      if (sent % 200 === 0) say(`${sent} of ${size} replays`)
    }
  }
  const elsewhere = (save: Sent, at: number): Sent => {
    const contentUrl = service.put(save.kind, `again-${at}`, save.archive)
    const payload = { ...(JSON.parse(save.body) as Record<string, unknown>), content_url: contentUrl }
    return { ...save, ...signed(service, payload), contentUrl }
  }

  await Promise.all(Array.from({ length: deliveriesAtOnce }, replay))
  await killed(listener)
  listener = await stage.listen()
  sent = 0
  await Promise.all(Array.from({ length: deliveriesAtOnce }, replay))

  const downloads = service.downloads.length - downloadsBefore
  if (different > 0) broken.push(`${different} replays were answered otherwise than the delivery was`)
  if (downloads > 0) broken.push(`${downloads} replays made the listener download again`)
  broken.push(...(await listProblems(stage, originals)))
  await killed(listener)
  return { figures: { replays: 2 * size, 'answers that differ': different, 'downloads more': downloads }, broken }
}
