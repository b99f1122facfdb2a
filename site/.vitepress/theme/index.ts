// The default theme with a live example, and commands that get what the site carries.
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineAsyncComponent } from 'vue';
import { GetIt } from './get-it.ts';
import './pages.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('GetIt', GetIt);
    // Loaded where it is shown: the other pages carry neither three.js nor the library.
    app.component(
      'LiveExample',
      defineAsyncComponent(() => import('./LiveExample.vue')),
    );
  },
} satisfies Theme;
