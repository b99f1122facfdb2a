// Light or dark: follows the system until the user chooses.

interface Recoloured {
  recolour(): void;
}

const key = 'nearfield-theme';

/** Applies the last choice. Returns a function that toggles it. */
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
