// Packages without types of their own.
declare module 'three';
declare module 'draco3d';
