import { MoreHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import { Menu } from './menu.tsx'
import type { MenuItem } from './menu.tsx'

/** Further actions behind a three-dot button. */
export function MoreMenu({ items }: { readonly items: readonly MenuItem[] }) {
  const { t } = useTranslation('ui')
  const trigger = (
    <Button look="quiet" icon={MoreHorizontal} isIconOnly>
      {t('more')}
    </Button>
  )
  return <Menu align="end" trigger={trigger} items={items} />
}
