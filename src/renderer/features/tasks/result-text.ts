import type { Task } from '@galley/library/records'
import { isStepwise, taskName } from '@galley/library/records'
import type { TaskProgress } from '@galley/wire'
import type { TFunction } from 'i18next'

import type { Formats } from '../../i18n/formats.ts'

type Words = TFunction<'tasks'>
type Done = Extract<Task['end'], { readonly kind: 'done' }>
export type DoneTask = Task & { readonly end: Done }

export const isDone = (task: Task): task is DoneTask => task.end.kind === 'done'

/** A task's result in one line. */
export function resultText(task: DoneTask, t: Words, formats: Formats): string {
  // Switching on the kind narrows the task, but not `end`, whose type is an intersection.
  switch (task.kind) {
    case 'exportPlan':
    case 'publishPlan': {
      const { added, changed, removed } = task.end.result.counts
      return t('results.plan', { added, changed, removed })
    }
    case 'export': {
      const { files, bytes } = task.end.result.counts
      return t('results.export', { count: files, size: formats.size(bytes) })
    }
    case 'publish': {
      const { target, counts } = task.end.result
      const { added, changed, removed } = counts
      return t('results.publish', { target, added, changed, removed })
    }
    case 'libraryCheck': {
      const { ok, files, findings } = task.end.result
      if (ok) return t('results.checkFine', { files: formats.count(files) })
      const count = findings.filter(({ fixed }) => !fixed).length
      return t(taskName(task) === 'repair' ? 'results.repairLeft' : 'results.checkBad', { count })
    }
    case 'backup':
      return t('results.backup', { size: formats.size(task.end.result.bytes) })
    case 'restore':
      return t('results.restore', { count: task.end.result.versions })
    case 'collect': {
      const { isDryRun, files, bytes } = task.end.result
      return t(isDryRun ? 'results.collectDryRun' : 'results.collect', { count: files, size: formats.size(bytes) })
    }
    case 'prune':
    case 'materialDelete': {
      const { isDryRun, versions, bytes } = task.end.result
      return t(isDryRun ? 'results.pruneDryRun' : 'results.prune', { count: versions, size: formats.size(bytes) })
    }
    case 'erase': {
      const { isDryRun, rows } = task.end.result
      return t(isDryRun ? 'results.eraseDryRun' : 'results.erase', { count: rows })
    }
    case 'replay': {
      const isDryRun = taskName(task) === 'replayDryRun'
      return t(isDryRun ? 'results.replayDryRun' : 'results.replay', { count: task.end.result.length })
    }
    case 'republish': {
      const { files, bytes, lost, withheld } = task.end.result
      if (lost.length > 0) return t('results.republishLost', { count: lost.length })
      if (withheld.length > 0) return t('results.republishWithheld', { count: withheld.length })
      return t('results.republish', { count: files, size: formats.size(bytes) })
    }
    case 'conformance': {
      const { passed, failed, unchecked, skipped } = task.end.result
      return t('results.conformance', { passed, failed, others: unchecked + skipped })
    }
    case 'fontUsage':
      return t('results.fontUsage', { count: task.end.result.materialsRead })
    case 'teamJoin':
      return t('results.teamJoin', { folder: task.end.result.folder })
    case 'teamImport':
      return t('results.teamImport')
    case 'teamLeave': {
      const count = task.end.result.filesMissing
      return count === 0 ? t('results.teamLeave') : t('results.teamLeaveLacking', { count })
    }
  }
}

/** What cancelling means for the data: some tasks complete part of their work. */
export function cancelledText(task: Task, t: Words): string {
  const name = taskName(task)
  return isStepwise(name) ? t(`cancelledMidway.${name}`) : t('cancelled')
}

/** Progress in words: `Writing · 12 of 40 files`. */
export function progressText(progress: TaskProgress, t: Words, formats: Formats): string {
  const { step, done, total, unit } = progress
  const word = t(`steps.${step}`)
  // Not counted yet is not the same as zero.
  if (total === null && done === 0) return word
  if (unit === 'bytes') {
    const amount =
      total === null ? formats.size(done) : t('progress', { done: formats.size(done), total: formats.size(total) })
    return `${word} · ${amount}`
  }
  const counted = t(`units.${unit}`, { count: total ?? done })
  return `${word} · ${total === null ? counted : t('progress', { done: formats.count(done), total: counted })}`
}
