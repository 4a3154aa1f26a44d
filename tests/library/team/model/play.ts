import { entryKey } from '../../../../packages/library/team/keys.ts'
import { LogFoldedError, TeamLogError } from '../../../../packages/library/team/replica.ts'
import type { Answer, Protocol, Request } from '../../../../packages/library/team/requests.ts'
import { BucketAwayError } from '../../../../packages/library/team/requests.ts'
import { EntryUnknownError } from '../../../../packages/library/team/write-entry.ts'
import { randomFrom } from '../../../support/random.ts'
import type { ClientTwins } from './bucket.ts'
import { createModelBucket } from './bucket.ts'
import { judge, tracesIn } from './judge.ts'
import type { Attempt, End, Machine, ReplicaTwins } from './machine.ts'
import { createMachine } from './machine.ts'
import type { Write } from './rows.ts'
import { apply, changesIn, digestOf, emptyRows, isNamed, keyOfFile, shaOf } from './rows.ts'

// A simulation of some machines and one bucket. A scheduler picks the next event by a seed: a request arrives, an
// answer is delivered or lost, a machine dies between two requests. The same seed gives the same simulation.

export type Twins = ClientTwins & ReplicaTwins

/** A request on its way; its sender may have given up already. */
interface Flight {
  readonly request: Request
  readonly checkpoint: Uint8Array
  readonly sender: Seat | null
  answer: Answer | null
  /** The probability that it arrives when its turn comes. */
  readonly pace: number
}

/** A machine and its current task. */
interface Seat {
  readonly machine: Machine
  task: Protocol<unknown> | null
  batch: readonly Attempt[]
  /** The number of steps for which it cannot reach the bucket. */
  away: number
  /** Its last request did not reach the bucket, so a person's change is tried once and then waits. */
  isHasty: boolean
  mustJoin: boolean
  tries: number
  /** The checkpoints that its task has sent. */
  sent: string[]
  /** What its task sends of checkpoints arrives after all else. */
  isLate: boolean
}

const steps = 320
const endSteps = 20_000

/** Simulates one seed; returns the violations. */
export function play(seed: number, twins: Twins = {}): readonly string[] {
  const random = randomFrom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const chance = (share: number): boolean => random() < share
  const bucket = createModelBucket(twins)
  const problems = bucket.faults
  const attempts: Attempt[] = []
  const digests = new Map<number, string>()
  const truth = emptyRows()
  // Each simulation has its own rate of faults.
  const badness = random() * 0.35
  let isOver = false
  let flights: Flight[] = []
  // Checkpoints whose senders died or gave up. Only the next fold removes them.
  const stray = new Set<string>()

  const seats: Seat[] = Array.from({ length: 2 + below(3) }, () => ({
    machine: createMachine(twins, random, (rows) => {
      const digest = digestOf(rows)
      if ((digests.get(rows.position) ?? digest) !== digest)
        problems.push(`two replicas differ at entry ${rows.position}`)
      digests.set(rows.position, digest)
    }),
    task: null,
    batch: [],
    away: 0,
    isHasty: false,
    mustJoin: false,
    tries: 0,
    sent: [],
    isLate: false,
  }))

  function begin(seat: Seat, task: Protocol<unknown>, batch: readonly Attempt[] = []): void {
    seat.task = task
    seat.batch = batch
    seat.tries = 0
    proceed(seat, null)
  }

  function end(seat: Seat, otherwise: End): void {
    for (const attempt of seat.batch) {
      attempt.end ??= otherwise
      attempt.to = bucket.history.length
      tellOfMark(seat.machine, attempt)
    }
    if (otherwise.kind !== 'stored') for (const key of seat.sent) stray.add(key)
    seat.task = null
    seat.batch = []
    seat.sent = []
    seat.isLate = false
  }

  /** Tells a machine the result of writing a mark. */
  function tellOfMark(machine: Machine, { write, end }: Attempt): void {
    if (write.kind !== 'mark') return
    if (write.seen !== null)
      machine.sent(write, end?.kind === 'stored' || end?.kind === 'refused' ? end.kind : 'unknown')
    else if (end?.kind === 'stored') machine.settle(write)
    else if (end?.kind === 'waits') machine.hold(write)
  }

  /** Passes an answer to the current task, which sends its next request or ends. */
  function proceed(seat: Seat, answer: Answer | null): void {
    if (seat.task === null) return
    try {
      const next = answer === null ? seat.task.next() : seat.task.next(answer)
      if (next.done === true) {
        seat.isHasty = false
        return end(seat, { kind: 'stored' })
      }
      const { value: request } = next
      if (request.kind === 'wait') {
        seat.tries += 1
        const triesAtMost = seat.isHasty && areMarks(seat.batch) ? 1 : 5
        flights.push({
          request,
          checkpoint: none,
          sender: seat,
          pace: 1,
          answer: { kind: 'waited', isLate: !isOver && seat.tries >= triesAtMost },
        })
        return
      }
      const isCheckpoint = request.kind === 'send_checkpoint'
      if (isCheckpoint) seat.sent.push(request.key)
      // A checkpoint is large, so other requests may overtake it.
      const pace = isCheckpoint ? (seat.isLate ? latePace : random() ** 3) : 1
      const checkpoint = isCheckpoint ? seat.machine.checkpoint() : none
      flights.push({ request, checkpoint, sender: seat, answer: null, pace })
    } catch (error) {
      if (error instanceof LogFoldedError) seat.mustJoin = true
      else if (!isExpected(error)) throw error
      seat.isHasty = isAway(error)
      for (const attempt of seat.batch) if (attempt.end?.kind === 'refused') attempt.end = null
      const isHeld = isAway(error) && seat.batch.every(({ write }) => write.kind === 'mark' && write.seen === null)
      end(seat, { kind: isHeld ? 'waits' : 'unknown' })
    }
  }

  /** Each entry finds its files in the bucket when it is created. */
  function lookAtEntries(): void {
    for (const bytes of bucket.history.slice(truth.position)) {
      truth.position += 1
      const changes = changesIn(bytes)
      for (const change of changes) apply(truth, change, truth.position)
      for (const file of changes.flatMap((change) => (change.kind === 'save' ? change.files : [])))
        if (isNamed(truth, shaOf(file)) && !bucket.objects.has(keyOfFile(truth, file)))
          problems.push(`entry ${truth.position} names a file that is not in the bucket`)
    }
  }

  /** A request reaches the bucket or is lost, and so may be its answer. */
  function arrive(flight: Flight): void {
    const { request, sender } = flight
    const perform = (what = request): Answer => {
      const answer = bucket.perform(what, flight.checkpoint)
      lookAtEntries()
      return answer
    }
    const isAway = sender !== null && sender.away > 0
    if (sender === null) {
      if (request.kind === 'send_checkpoint') stray.add(request.key)
      perform()
      flights = flights.filter((each) => each !== flight)
      return
    }
    const unknown: Answer = { kind: 'unknown' }
    if (isOver || !(isAway || chance(badness))) {
      flight.answer = perform()
      return
    }
    const what = isAway ? below(2) : below(5)
    // The request is lost, or arrives after its sender gave up, or its answer is lost.
    if (what === 1) flights.push({ ...flight, sender: null })
    if (what === 2) perform()
    if (what > 2 && request.kind === 'upload') {
      // Only some of the files arrive.
      const { files } = request
      const some = perform({ ...request, files: files.slice(0, below(files.length)) })
      flight.answer = twins.countsLostUploads ? { kind: 'uploaded', keys: files.map(({ key }) => key) } : some
      return
    }
    if (what === 3) {
      // A proxy or an SDK has sent it twice.
      const first = perform()
      flight.answer = request.kind === 'create' ? perform() : first
      return
    }
    const read = what === 4 && request.kind === 'get' ? perform() : null
    if (read?.kind === 'found' && read.objects.length > 1) {
      // Only some of the parallel requests are answered.
      flight.answer = { ...read, objects: read.objects.slice(0, 1 + below(read.objects.length - 1)), isCut: true }
      return
    }
    const is409 = what === 4 && request.kind === 'create'
    flight.answer = is409 && twins.ignores409 ? { kind: 'created' } : unknown
  }

  function deliver(flight: Flight): void {
    flights = flights.filter((each) => each !== flight)
    const { sender, request, answer } = flight
    if (sender === null || answer === null) return
    if (request.kind === 'load_checkpoint' && answer.kind === 'done') {
      const bytes = bucket.objects.get(request.key)
      if (bytes === undefined) return proceed(sender, { kind: 'absent' })
      sender.machine.load(bytes)
    }
    proceed(sender, answer)
  }

  function attempt(write: Write): Attempt {
    const made: Attempt = { write, from: bucket.history.length, to: bucket.history.length, end: null }
    attempts.push(made)
    return made
  }

  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item

  function aWrite(): Write {
    const number = attempts.length
    const dice = below(20)
    const material = oneOf(materials)
    if (dice < 3) return { kind: 'open', material, attempt: number }
    if (dice < 5) return { kind: 'add', name: oneOf(names), attempt: number }
    if (dice < 7) return { kind: chance(0.4) ? 'refuse' : 'allow', material, attempt: number }
    const saves = attempts.flatMap(({ write }) => (write.kind === 'save' ? [write] : []))
    if (dice < 10 && saves.length > 0) return { kind: 'prune', id: oneOf(saves).id, attempt: number }
    // The service repeats a delivery that was not answered.
    const repeated = dice < 13 && saves.length > 0 ? oneOf(saves) : null
    if (repeated) return { ...repeated, attempt: number }
    return aSave(material)
  }

  function aSave(material: string, of = fileNames): Write {
    const files = [oneOf(of), oneOf(of)]
    return { kind: 'save', id: attempts.length, material, files: [...new Set(files)], attempt: attempts.length }
  }

  /** A person changes a field, or a change made without the bucket is written. */
  function mark(machine: Machine, seat: Seat): void {
    const waiting = chance(seat.isHasty ? 0.2 : 0.5) ? machine.waitingWrite(attempts.length) : null
    const value = `${machine.name()} ${attempts.length}`
    // Without the bucket, a machine often changes the same field again, without a conflict.
    const field = seat.isHasty && chance(0.7) ? `verdict of ${seats.indexOf(seat)}` : oneOf(fields)
    const write = waiting ?? { kind: 'mark', field, value, seen: null, attempt: attempts.length }
    const batch = [attempt(write)]
    begin(seat, machine.write(batch), batch)
  }

  function erase(seat: Seat): void {
    const known = seat.machine.rows().names
    const name = oneOf(known.length > 0 ? known : names)
    const batch = [attempt({ kind: 'erase', name, attempt: attempts.length })]
    // Another machine is sending what still names them, and that may arrive when the erase has ended.
    for (const other of seats) {
      if (other === seat || other.task !== null || other.mustJoin || !other.machine.rows().names.includes(name))
        continue
      other.isLate = true
      begin(other, other.machine.send())
    }
    begin(seat, seat.machine.erase(batch), batch)
  }

  /** Other machines are about to name again what is to go. */
  function collect(seat: Seat): void {
    begin(seat, collection(seat.machine))
    for (const other of seats) {
      const rows = other.machine.rows()
      const { opened, refused } = rows
      const material = opened.find((each) => !refused.includes(each))
      if (other.task !== null || other.mustJoin || material === undefined) continue
      const unnamed = fileNames.filter((name) => !isNamed(rows, shaOf(name)))
      const batch = [attempt(aSave(material, unnamed.length > 0 ? unnamed : fileNames))]
      begin(other, other.machine.write(batch), batch)
    }
  }

  const collection = (machine: Machine): Protocol<void> =>
    machine.collect((objects) => attempt({ kind: 'drop', objects, attempt: attempts.length }))

  /** Starts a task on an idle machine. */
  function start(seat: Seat): void {
    const { machine } = seat
    if (seat.mustJoin) {
      seat.mustJoin = false
      return begin(seat, machine.join())
    }
    // A machine without the bucket keeps changing fields.
    if (seat.isHasty && chance(0.75)) return mark(machine, seat)
    const dice = below(16)
    if (dice === 15) return erase(seat)
    if (dice === 14) return collect(seat)
    if (dice < 2) return begin(seat, machine.follow())
    if (dice > 9) return mark(machine, seat)
    if (dice === 2 && chance(0.3)) return begin(seat, machine.fold())
    if (dice === 2 && machine.rows().position > 2) {
      seat.isLate = chance(0.5)
      return begin(seat, machine.send())
    }
    const batch = Array.from({ length: 1 + below(3) }, () => attempt(aWrite()))
    begin(seat, machine.write(batch), batch)
  }

  /** Kills a machine: its current task is lost, but sent requests may still arrive. */
  function die(seat: Seat): void {
    for (const each of seat.batch) each.end = null
    end(seat, { kind: 'unknown' })
    flights = flights.flatMap((flight) => {
      if (flight.sender !== seat) return [flight]
      return flight.answer === null && chance(0.5) ? [{ ...flight, sender: null }] : []
    })
    if (!chance(0.3)) return
    seat.machine.forget()
    seat.mustJoin = true
  }

  function disturb(): void {
    if (chance(badness * 0.1)) die(oneOf(seats))
    if (chance(badness * 0.15)) oneOf(seats).away = below(90)
    if (chance(badness * 0.01)) bucket.putForeign(entryKey(bucket.history.length + below(2)), oneOf(foreignObjects))
    if (chance(0.05)) bucket.mend()
  }

  function step(): void {
    for (const seat of seats) if (seat.away > 0) seat.away -= 1
    const idle = isOver ? [] : seats.filter(({ task }) => task === null)
    const due = isOver
      ? endingOf(flights)
      : flights.filter(({ pace, answer }) => isArrived(answer, pace) || chance(pace))
    const pick = below(due.length + idle.length)
    const flight = due[pick]
    if (flight === undefined) {
      const seat = idle[pick - due.length]
      if (seat) start(seat)
    } else if (flight.answer === null) arrive(flight)
    else deliver(flight)
  }

  for (let at = 0; at < steps; at += 1) {
    disturb()
    step()
  }
  // The faults end: every machine completes its task and reads the log to its end.
  isOver = true
  bucket.mend()
  for (const seat of seats) seat.away = 0
  for (let at = 0; flights.length > 0 && at < endSteps; at += 1) step()
  if (flights.length > 0) return [...problems, 'a machine comes to no end']
  for (const seat of seats)
    for (let turns = 0; turns < 3; turns += 1) {
      begin(seat, seat.mustJoin ? seat.machine.join() : seat.machine.follow())
      seat.mustJoin = turns === 2 && seat.mustJoin
      for (let at = 0; flights.length > 0 && at < endSteps; at += 1) step()
    }
  for (const seat of seats)
    for (let turns = 0; seat.machine.isWaiting() && turns < fields.length + 3; turns += 1) {
      const write = seat.machine.waitingWrite(attempts.length)
      const batch = write === null ? [] : [attempt(write)]
      begin(seat, seat.machine.write(batch), batch)
      for (let at = 0; flights.length > 0 && at < endSteps; at += 1) step()
    }
  const [collector] = seats
  const early = tracesIn(bucket, attempts, stray)
  // The next fold removes a checkpoint that arrived after its sender had given up.
  for (const task of collector ? [collection(collector.machine), collector.machine.fold()] : []) {
    if (collector) begin(collector, task)
    for (let at = 0; flights.length > 0 && at < endSteps; at += 1) step()
  }
  for (const seat of seats) {
    begin(seat, seat.machine.follow())
    for (let at = 0; flights.length > 0 && at < endSteps; at += 1) step()
  }
  const machines = seats.map(({ machine }) => machine)
  return [...problems, ...early, ...judge(bucket, attempts, machines)]
}

const none = new Uint8Array()
/** Of a checkpoint that is under way for most of a play. */
const latePace = 0.005

const isArrived = (answer: Answer | null, pace: number): boolean => answer !== null || pace === 1

/** What is late arrives when nothing else is under way. */
function endingOf(flights: readonly Flight[]): readonly Flight[] {
  const first = flights.filter(({ pace, answer }) => answer !== null || pace > latePace)
  return first.length > 0 ? first : flights
}

const materials = ['a', 'b', 'c']
const fields = ['verdict', 'note']
const names = ['name one', 'name two', 'name three', 'name four']
const fileNames = ['u', 'v', 'w', 'x', 'y', 'z']
const foreignObjects = [Buffer.from('hello\n'), Buffer.alloc(0), Buffer.from('{"length":"0000000200","sha256":"')]

const areMarks = (batch: readonly Attempt[]): boolean =>
  batch.length > 0 && batch.every(({ write }) => write.kind === 'mark')

const isAway = (error: unknown): boolean => error instanceof BucketAwayError || error instanceof EntryUnknownError
const isExpected = (error: unknown): boolean => isAway(error) || error instanceof TeamLogError
