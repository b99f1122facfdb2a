// Light or dark: as the system has it, until the person says otherwise.

interface Recoloured {
  recolour(): void;
}

const key = 'nearfield-theme';

/** Sets what was chosen last; what it gives back changes it. */
export function openTheme(view: Recoloured): () => void {
  const { dataset } = document.documentElement;
  const set = (theme: string | null) => {
    if (theme === 'light' || theme === 'dark') dataset['theme'] = theme;
    view.recolour();
  };
  set(localStorage.getItem(key));
  return () => {
    const isDark = dataset['theme']
      ? dataset['theme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    const next = isDark ? 'light' : 'dark';
    localStorage.setItem(key, next);
    set(next);
  };
}
