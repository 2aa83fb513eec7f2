((CHUNKS, SETTINGS)=>{
"use strict";var made=(()=>{var o=Object.defineProperty;var u=Object.getOwnPropertyDescriptor;var i=Object.getOwnPropertyNames;var l=Object.prototype.hasOwnProperty;var m=(n,e)=>{for(var t in e)o(n,t,{get:e[t],enumerable:!0})},S=(n,e,t,c)=>{if(e&&typeof e=="object"||typeof e=="function")for(let s of i(e))!l.call(n,s)&&s!==t&&o(n,s,{get:()=>e[s],enumerable:!(c=u(e,
s))||c.enumerable});return n};var d=n=>S(o({},"__esModule",{value:!0}),n);var w={};m(w,{engine:()=>k});function p(n){let[,e,t,c,s]=/(?:at (?:new )?([\w.$]+) )?\(?surehand-(\w+)\.js:(\d+):(\d+)/.exec(String(n&&n.stack))||[],a={message:String(n&&n.message||n).slice(0,r),function:e||
"",script:t||"",line:Number(c)||0,column:Number(s)||0,url:location.href.slice(0,r)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(a)))}var r=300;function N(){let n=eval,e={},t=c=>e[c]||=
n(CHUNKS[c])(SETTINGS,t);return t("core").provideChunks(t),e.core.ask}var f,k={queryAll(n,e){try{return(f||=N())(n,JSON.parse(decodeURIComponent(e)))}catch(t){throw p(t)}}};return d(w);})();
return made.engine})
