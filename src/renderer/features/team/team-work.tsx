import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { Bar } from '../../ui/group.tsx'
import { Status } from '../../ui/status.tsx'
import { useTeam } from './store.ts'

/** The running or last task about the team, and its problem. */
export function TeamWork() {
  const { t } = useTranslation(['team', 'tasks', 'ui'])
  const { task, problem, unfinished, cancel, openJoined } = useTeam()
  const failed = task?.end.kind === 'failed' ? task.end.problem : problem
  return (
    <div role="status">
      {task?.end.kind === 'running' && (
        <Bar>
          <Status tone="busy" word={t(`working.${task.kind}`)} />
          {!task.end.isCancelling && (
            <Button look="quiet" onClick={cancel}>
              {t('ui:cancel')}
            </Button>
          )}
        </Bar>
      )}
      {failed !== null && <ProblemLine problem={failed} />}
      {task?.kind === 'teamJoin' && task.end.kind === 'done' && (
        <Bar>
          <p>{t(unfinished === null ? 'joined' : 'unfinished.done', { folder: task.end.result.folder })}</p>
          <Button look="primary" onClick={() => void openJoined()}>
            {t('openJoined')}
          </Button>
        </Bar>
      )}
    </div>
  )
}
