((CHUNKS, SETTINGS)=>{
"use strict";var made=(()=>{var o=Object.defineProperty;var a=Object.getOwnPropertyDescriptor;var u=Object.getOwnPropertyNames;var i=Object.prototype.hasOwnProperty;var l=(e,n)=>{for(var t in n)o(e,t,{get:n[t],enumerable:!0})},m=(e,n,t,c)=>{if(n&&typeof n=="object"||typeof n=="function")for(let s of u(n))!i.call(e,s)&&s!==t&&o(e,s,{get:()=>n[s],enumerable:!(c=a(n,
s))||c.enumerable});return e};var S=e=>m(o({},"__esModule",{value:!0}),e);var f={};l(f,{engine:()=>p});function d(e){let[,n,t,c]=/surehand-(\w+)\.js:(\d+):(\d+)/.exec(String(e&&e.stack))||[],s={message:String(e&&e.message||e).slice(0,r),script:n||"",line:Number(t)||0,column:Number(
c)||0,url:location.href.slice(0,r)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(s)))}var r=300;function N(){let e=eval,n={},t=c=>n[c]||=e(CHUNKS[c])(SETTINGS,t);return t("co\
re").provideChunks(t),n.core.ask}var k,p={queryAll(e,n){try{return(k||=N())(e,JSON.parse(decodeURIComponent(n)))}catch(t){throw d(t)}}};return S(f);})();
return made.engine})
