// A file that is dropped on a text field is chosen in its file field; a file that is chosen says so beside it.
for(const text of document.querySelectorAll("[data-drop]")){
const field=document.getElementById(text.dataset.drop);
text.addEventListener("dragover",event=>{event.preventDefault();text.classList.add("over")});
text.addEventListener("dragleave",()=>text.classList.remove("over"));
text.addEventListener("drop",event=>{
text.classList.remove("over");
if(!event.dataTransfer.files.length)return;
event.preventDefault();
field.files=event.dataTransfer.files;
text.value="";
field.focus();
});
field.addEventListener("change",()=>{if(field.files.length)text.value=""});
}
