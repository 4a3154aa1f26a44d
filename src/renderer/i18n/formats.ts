import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { isLanguage, localeOf } from '../../texts/catalogue.ts'
import {
  clockTime,
  count,
  dayAndMinute,
  dayOf,
  duration,
  exactTime,
  fileSize,
  hourAndMinute,
  listOf,
  percent,
  relativeTime,
  shortMoment,
} from './format.ts'

/** Formats times, sizes and numbers in one language. */
export interface Formats {
  readonly locale: string
  relative(iso: string, nowMs: number): string
  /** Without `timeZone`, in that of this computer. */
  exact(iso: string, timeZone?: string): string
  short(iso: string, nowMs: number): string
  /** With `nowMs`, omits the current year. */
  day(iso: string, nowMs?: number): string
  /** With `nowMs`, omits the current year. */
  dayAndMinute(iso: string, nowMs?: number): string
  clock(iso: string): string
  hourAndMinute(iso: string): string
  size(bytes: number): string
  duration(ms: number): string
  count(value: number): string
  /** `share` from 0 to 1. */
  percent(share: number): string
  list(items: readonly string[]): string
}

/** The formats for an interface language or a locale. */
export function formatsIn(language: string): Formats {
  const locale = isLanguage(language) ? localeOf[language] : language
  return {
    locale,
    relative: (iso, nowMs) => relativeTime(iso, nowMs, locale),
    exact: (iso, timeZone) => exactTime(iso, locale, timeZone),
    short: (iso, nowMs) => shortMoment(iso, nowMs, locale),
    day: (iso, nowMs) => dayOf(iso, locale, nowMs),
    dayAndMinute: (iso, nowMs) => dayAndMinute(iso, locale, nowMs),
    clock: (iso) => clockTime(iso, locale),
    hourAndMinute: (iso) => hourAndMinute(iso, locale),
    size: (bytes) => fileSize(bytes, locale),
    duration: (ms) => duration(ms, locale),
    count: (value) => count(value, locale),
    percent: (share) => percent(share, locale),
    list: (items) => listOf(items, locale),
  }
}

/** The formats for the window's language; updates when it changes. */
export function useFormats(): Formats {
  const { i18n } = useTranslation()
  return useMemo(() => formatsIn(i18n.language), [i18n.language])
}
