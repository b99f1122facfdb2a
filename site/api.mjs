// The API reference: pages from the declarations and comments of the published packages, by TypeDoc.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';

/** Writes api/ into a folder. Throws if a comment links to something that is not there. */
export async function writeApi(folder) {
  const out = join(folder, 'api');
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    name: 'API',
    outputs: [{ name: 'markdown', path: out }],
    entryPoints: [
      'packages/nearfield/dist/index.d.ts',
      'packages/nearfield/dist/three/index.d.ts',
      'packages/io/dist/index.d.ts',
    ],
    tsconfig: 'site/tsconfig.api.json',
    plugin: ['typedoc-plugin-markdown'],
    // The declarations are complete, but not every package that they mention is installed where they are read.
    skipErrorChecking: true,
    excludeExternals: false,
    readme: 'none',
    disableSources: true,
    entryFileName: 'index',
    outputFileStrategy: 'members',
    hidePageHeader: true,
    hideBreadcrumbs: false,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    logLevel: 'Warn',
    validation: { notExported: false, invalidLink: true, notDocumented: false },
  });
  const project = await app.convert();
  if (project === undefined)
    throw new Error('TypeDoc could not read the declarations: run npm run build first');
  for (const module of project.children) module.name = packageOf(module.name);
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('the API reference has errors: see above');
}

/** What a program imports, from the folder that a declaration lies in. */
function packageOf(folder) {
  return folder.replace(/^io\/dist$/, '@nearfield/io').replace(/^nearfield\/dist/, 'nearfield');
}
