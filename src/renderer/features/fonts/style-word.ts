import { useTranslation } from 'react-i18next'

/** Words a `font-style` of CSS; one with an angle or of a new kind stays as CSS writes it. */
export function useStyleWord(): (style: string) => string {
  const { t } = useTranslation('fonts')
  return (style) =>
    style === 'normal' || style === 'italic' || style === 'oblique' ? t(`specimen.styles.${style}`) : style
}
