import { useTranslation } from 'react-i18next'

/** Words a CSS `font-style`; angles and unknown values stay as they are. */
export function useStyleWord(): (style: string) => string {
  const { t } = useTranslation('fonts')
  return (style) =>
    style === 'normal' || style === 'italic' || style === 'oblique' ? t(`specimen.styles.${style}`) : style
}
