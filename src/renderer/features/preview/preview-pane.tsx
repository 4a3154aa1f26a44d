import { ExternalLink, X } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { PreviewArea } from '../../../ipc/preview-view.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useCommands } from '../../commands/commands.ts'
import { Room } from '../../domain/room.tsx'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { usePreviews } from './store.ts'

interface Props {
  /**
   * The address of the page to show, without slashes around it; empty for the home page; null if the page is not
   * published.
   */
  readonly address: string | null
}

/** The preview of the site beside a form. */
export function PreviewPane({ address }: Props) {
  const { t } = useTranslation('publish')
  const run = useCommands((state) => state.run)
  const { setBeside } = usePreviews()
  return (
    <Pane
      name="preview"
      level={2}
      title={t('preview')}
      actions={
        <>
          <Button look="quiet" icon={ExternalLink} isIconOnly onClick={() => run('publish.preview')}>
            {t('beside.browser')}
          </Button>
          <Button look="quiet" icon={X} isIconOnly onClick={() => void setBeside(false)}>
            {t('beside.close')}
          </Button>
        </>
      }
    >
      <Shown address={address} />
    </Pane>
  )
}

function Shown({ address }: Props) {
  const { t } = useTranslation('publish')
  const { preview, ended, show } = usePreviews()
  const url = preview?.url ?? null
  useEffect(() => {
    if (url !== null && address !== null) show(address)
  }, [url, address, show])
  if (ended !== null)
    return (
      <Message title={t('beside.ended.title')} text={t(`beside.ended.${ended}`)} isFailure>
        <Button look="primary" onClick={() => show(address ?? '')}>
          {t('beside.again')}
        </Button>
      </Message>
    )
  if (address === null) return <Message text={t('beside.notOut')} />
  return url === null ? <Skeleton rows={6} /> : <PreviewRoom />
}

/** Where the preview is shown. */
function PreviewRoom() {
  const { t } = useTranslation('publish')
  const bridge = useBridge()
  const put = useCallback((area: PreviewArea | null) => void bridge.call('placePreview', { area }), [bridge])
  return <Room label={t('beside.enter')} onPlace={put} onEnter={() => void bridge.call('focusPreview', undefined)} />
}
