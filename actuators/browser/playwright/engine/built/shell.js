((CHUNKS, SETTINGS)=>{
"use strict";var made=(()=>{var c=Object.defineProperty;var a=Object.getOwnPropertyDescriptor;var i=Object.getOwnPropertyNames;var u=Object.prototype.hasOwnProperty;var l=(n,e)=>{for(var t in e)c(n,t,{get:e[t],enumerable:!0})},d=(n,e,t,s)=>{if(e&&typeof e=="object"||typeof e=="function")for(let r of i(e))!u.call(n,r)&&r!==t&&c(n,r,{get:()=>e[r],enumerable:!(s=a(e,
r))||s.enumerable});return n};var m=n=>d(c({},"__esModule",{value:!0}),n);var f={};l(f,{engine:()=>N});function S(n){let[,e,t,s]=/surehand-(\w+)\.js:(\d+):(\d+)/.exec(String(n&&n.stack))||[],r={message:String(n&&n.message||n).slice(0,o),script:e||"",line:Number(t)||0,column:Number(
s)||0,url:location.href.slice(0,o)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(r)))}var o=300;function g(){let n=eval,e={},t=s=>e[s]||=n(CHUNKS[s])(SETTINGS,t);return t("co\
re").provideChunks(t),e.core.ask}var y,N={queryAll(n,e){try{return(y||=g())(n,JSON.parse(decodeURIComponent(e)))}catch(t){throw S(t)}}};return m(f);})();
return made.engine})
